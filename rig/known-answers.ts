import type { App } from '../src/app.ts'
import { storeResolution } from '../src/resolution/worker/answer-domain.ts'
import { resolveDomain } from '../src/resolver/index.ts'
import type { OpenedAccount } from './accounts.ts'
import type { Label } from './labels.ts'

/** The part of a world that is needed here. */
interface LabelledSites {
  name: string
  labels: ReadonlyArray<Pick<Label, 'domain' | 'outcome'>>
}

/**
 * Makes answers that are known and paid for: the sites of the world that name their company are read once, and each answer
 * is then stored for many domains and paid for by every account.
 */
export async function knowAnswers(
  app: App,
  ask: { world: LabelledSites; domains: number; accounts: OpenedAccount[] },
): Promise<string[]> {
  const labelled = ask.world.labels.filter(({ outcome }) => outcome === 'matched')
  const read = await Promise.all(labelled.map(({ domain }) => resolveDomain(app, domain)))
  const matched = read.filter(({ outcome }) => outcome === 'matched')
  const domains = Array.from({ length: ask.domains }, (_, index) => `known-${index}.co.uk`)
  await app.db.transaction(async (tx) => {
    for (const [index, domain] of domains.entries()) {
      const resolution = matched[index % matched.length]
      if (!resolution) throw new Error(`no site of ${ask.world.name} was matched`)
      await storeResolution(tx, { ...resolution, domain })
    }
    await tx.query(
      `insert into paid_subject (account_id, kind, subject, paid_until)
       select account, 'domain', domain, now() + interval '30 days'
       from unnest($1::text[]) account cross join unnest($2::text[]) domain`,
      [ask.accounts.map(({ id }) => id), domains],
    )
  })
  await app.db.query('analyze')
  return domains
}
