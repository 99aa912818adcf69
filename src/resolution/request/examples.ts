/** Shows visitors without an account the answers for the domains that the operator chose as examples, and for no others. */
import type { App } from '../../app.ts'
import { type Answer, readShortAnswer } from '../answers/answer.ts'
import { findNewest } from '../answers/known.ts'
import { resolveDomainJob } from '../jobs.ts'
import { lockWork, PRIORITY } from '../worker/work.ts'

/** An example whose site is not read yet has no answer. */
export type Example = { domain: string; answer: Answer | null }

/** Returns the shared answer for an example; null for another domain. The site of one without an answer is read soon. */
export async function findExample(app: App, domain: string): Promise<Example | null> {
  if (!app.config.demoDomains.includes(domain)) return null
  const at = app.clock.now()
  const known = await findNewest(app.db, domain, { at })
  if (known) return { domain, answer: await readShortAnswer(app, known) }
  await app.db.transaction(async (tx) => {
    const before = await lockWork(tx, { kind: 'domain', subject: domain, isBackground: true, at })
    if (before === 'none') await app.jobs.enqueue(tx, resolveDomainJob, { domain }, { priority: PRIORITY.wanted })
  })
  return { domain, answer: null }
}
