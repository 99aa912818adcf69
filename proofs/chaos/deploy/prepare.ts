import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { OpenedAccount } from '../../../rig/accounts.ts'
import { houseOfSites } from '../../../rig/made-up-sites.ts'
import type { Settings } from '../../../rig/settings.ts'
import type { Release } from './releases.ts'

/**
 * Migrates, imports a register and opens accounts by the commands of the previous release: the newer one may know columns
 * that are not there yet.
 */
export async function prepareDatabase(
  { root }: Release,
  settings: Settings,
  size: { accounts: { count: number; plan: string }; domains: number },
): Promise<OpenedAccount[]> {
  const env = { PATH: process.env['PATH'], ...settings }
  const run = async (...argv: string[]) =>
    (await promisify(execFile)(process.execPath, [join(root, 'src/main.ts'), ...argv], { env })).stdout
  await run('migrate')
  await using house = houseOfSites(size.domains)
  const { bulkUrl } = await house.listen()
  const index = await (await fetch(new URL('/en_output.html', bulkUrl))).text()
  const file = /BasicCompanyDataAsOneFile[\w-]*\.zip/.exec(index)?.[0] ?? ''
  const createAccount = async (index: number): Promise<OpenedAccount> => {
    const created = await run('account', 'create', `customer-${index}@example.com`, '--json')
    const { account_id: id, api_key: key } = JSON.parse(created) as { account_id: string; api_key: string }
    await run('account', 'plan', id, size.accounts.plan, '--json')
    return { id, key }
  }
  const creating = Array.from({ length: size.accounts.count }, (_, index) => createAccount(index))
  await run('register', 'import', new URL(`/${file}`, bulkUrl).href, '--json')
  return await Promise.all(creating)
}
