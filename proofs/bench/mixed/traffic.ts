/** Requests in two manners: whenever one is due, whatever became of those before it; or one after the other. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Dice } from '../../../rig/synthetic-register/names.ts'
import { type Part, pickPart } from './parts.ts'
import type { Sender, Sent } from './sender.ts'
import type { Subjects } from './subjects.ts'

/** So that an overload ends: what is due beyond this is dropped, and counts as not answered. */
export const UNDER_WAY_MAX = 256

export interface Traffic {
  sender: Sender
  subjects: Subjects
}

/**
 * Open loop: gaps between requests are exponential, as those between strangers are, and the same for the same seed. A
 * request that could not be sent when it was due has waited since then.
 */
export async function sendWhenDue(
  { sender, subjects }: Traffic,
  plan: { perSecond: number; durationMs: number; seed: number; signal: AbortSignal },
  onEnd: (sent: Sent) => void,
): Promise<void> {
  const dice = new Dice(plan.seed, 0)
  const underWay = new Set<Promise<void>>()
  const startedAtMs = performance.now()
  const gapMs = () => (-Math.log(1 - dice.next()) / plan.perSecond) * 1_000
  for (let dueMs = gapMs(); dueMs < plan.durationMs && !plan.signal.aborted; dueMs += gapMs()) {
    const dueAtMs = startedAtMs + dueMs
    const waitMs = dueAtMs - performance.now()
    if (waitMs > 1) await sleep(waitMs)
    const part = pickPart(dice)
    if (underWay.size >= UNDER_WAY_MAX) {
      onEnd({ part, dueAtMs, endedAtMs: dueAtMs, fate: 'dropped', trouble: null })
      // Answers are only noticed between two turns.
      await sleep(0)
      continue
    }
    const request = part.plan(subjects, dice)
    const ended = sender.send(part, request, dueAtMs).then((sent) => {
      underWay.delete(ended)
      onEnd(sent)
    })
    underWay.add(ended)
  }
  await Promise.all(underWay)
}

/** Closed loop: so many customers, each of whom asks again when answered. */
export async function sendInTurn(
  { sender, subjects }: Traffic,
  part: Part,
  bounds: { customers: number; durationMs: number; requestsMax: number; seed: number },
): Promise<Sent[]> {
  const endAtMs = performance.now() + bounds.durationMs
  const sent: Sent[] = []
  let begun = 0
  await Promise.all(
    Array.from({ length: bounds.customers }, async (_, customer) => {
      const dice = new Dice(bounds.seed, customer)
      while (performance.now() < endAtMs && begun < bounds.requestsMax) {
        begun += 1
        sent.push(await sender.send(part, part.plan(subjects, dice), performance.now()))
      }
    }),
  )
  return sent
}
