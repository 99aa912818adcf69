/** The service over a primary and a replica, which the API processes reach by a link that can be cut. */
import { type OpenedAccount, openAccounts } from '../../../rig/accounts.ts'
import { makeSite, registerCompanies } from '../../../rig/made-up-sites.ts'
import { ReplicatedPostgres } from '../../../rig/replicated-postgres.ts'
import { openOutsideStage } from '../../../rig/stage.ts'
import { revealApiKeys } from '../../../src/accounts/index.ts'
import { findCompanies } from '../../../src/register/index.ts'
import { Network } from '../failover/link.ts'

const ACCOUNTS = { count: 8, plan: 'scale' } as const
const SITES_MAX = 3_200
const LINK = 'replica'

export interface Shop {
  domain: string
  number: string
  name: string
  postcode: string
}

export type Stage = Awaited<ReturnType<typeof openReplicaStage>>

export async function openReplicaStage(say: (line: string) => void) {
  await using opened = new AsyncDisposableStack()
  const servers = opened.use(await ReplicatedPostgres.start())
  const network = opened.adopt(new Network(), (each) => each.close())
  const linkPort = await network.openLink({ ports: [servers.replicaPort], owner: LINK, callersSayTheirName: false })
  say('a primary and its replica are up')
  const settings = { DATABASE_REPLICA_URL: servers.replicaUrl(linkPort), DATABASE_CONNECTIONS_MAX: '10' }
  const stage = opened.use(await openOutsideStage({ databaseUrl: servers.primary.url, settings }))
  await registerCompanies(stage.app.db, SITES_MAX)
  const accounts: OpenedAccount[] = await openAccounts(stage.app, ACCOUNTS)
  await servers.untilCaughtUp()
  const start = (command: 'serve' | 'work', more = {}) => stage.start(command, { ...settings, ...more })
  const apis = [opened.use(await start('serve')), opened.use(await start('serve'))]
  opened.use(await start('work'))
  say('two API processes and a worker are up')
  const all = opened.move()
  return {
    ...stage,
    servers,
    accounts,
    apiUrls: apis.map(({ url }) => url),
    shops: await publishShops(stage),
    /** Starts an API process that does not check what the replica has replayed. */
    startUnchecked: () => {
      const file = new URL('./unchecked.ts', import.meta.url).href
      return start('serve', { NODE_OPTIONS: `--import=${file}` })
    },
    /** Returns the account with the key that it has now. */
    renewKey: async (account: OpenedAccount) => ({
      ...account,
      key: (await revealApiKeys(stage.app, account.id)).live,
    }),
    cutReplicaOff: () => network.cut(LINK),
    reconnectReplica: () => network.heal(LINK),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** Sites that prove their company and respond soon, each for one account and one time. */
async function publishShops({ app, web }: Pick<Awaited<ReturnType<typeof openOutsideStage>>, 'app' | 'web'>) {
  const sites = Array.from({ length: SITES_MAX }, (_, index) => index)
    .filter((index) => index % 4 < 2)
    .map(makeSite)
    .filter(({ outcome }) => outcome === 'matched')
  const companies = await findCompanies(
    app.db,
    sites.flatMap(({ companyNumber }) => companyNumber ?? []),
  )
  const byNumber = new Map(companies.map((company) => [company.number, company]))
  return sites.flatMap(({ domain, companyNumber, site }): Shop[] => {
    const company = byNumber.get(companyNumber ?? '')
    if (!company || !site) return []
    web.setSite(domain, site)
    return [{ domain, number: company.number, name: company.name, postcode: company.address.postcode ?? '' }]
  })
}
