/** The highest rate that the service keeps up with, found by raising it until it does not. */
import { availableParallelism } from 'node:os'
import type { Stage } from './stage.ts'
import { measureStep, type Step } from './step.ts'
import { untilQuiet } from './usage.ts'

interface Climb {
  /** In the order they were taken. */
  steps: Step[]
  /** The last that was kept up with. */
  knee: Step
  /** The first beyond it; null when even the highest rate held. */
  beyond: Step | null
}

const FIRST_PER_SECOND = 20
const FACTOR = 1.4
const STEPS_MAX = 14
const TIMES = { warmUpMs: 3_000, measuredMs: 12_000 }
const CATCH_UP_MS = 20_000
const FAILS_MAX = 2
const TRIES_MAX = 4

/** Where even the first rate does not hold, it goes down instead. */
export async function climb(stage: Stage, onStep: (step: Step) => void): Promise<Climb> {
  const steps: Step[] = []
  const take = async (perSecond: number): Promise<Step> => {
    const step = await measureStep(stage, { ...TIMES, perSecond, seed: 11 + steps.length })
    steps.push(step)
    onStep(step)
    if (step.objections.length > 0) await untilQuiet(stage.app, CATCH_UP_MS)
    return step
  }
  /** A rate fails when it fails twice: once may be the machine's own doing. What fails beside other programs says nothing. */
  const tryRate = async (perSecond: number) => {
    let step = await take(perSecond)
    for (let [fails, tries] = [0, 1]; step.objections.length > 0 && tries < TRIES_MAX; tries += 1) {
      if (!isDisturbed(step)) fails += 1
      if (fails === FAILS_MAX) break
      step = await take(perSecond)
    }
    return step
  }
  let [knee, beyond] = [null as Step | null, null as Step | null]
  for (let count = 0; count < STEPS_MAX && !(knee && beyond); count += 1) {
    const step = await tryRate(FIRST_PER_SECOND * FACTOR ** (beyond ? -count : count))
    if (step.objections.length === 0) knee = step
    else beyond = step
  }
  if (!knee) throw new Error(`no rate held: ${beyond?.objections.join(', ')}`)
  if (beyond) {
    const step = await tryRate(Math.sqrt(knee.perSecond * beyond.perSecond))
    if (step.objections.length === 0) knee = step
    else beyond = step
  }
  return { steps, knee, beyond }
}

const FULL_SHARE = 0.9
/** The share of all cores that other programs may use before they count as the limit. */
const OTHERS_SHARE_MAX = 0.25

/** Returns how many cores programs took that have no part in the run; what the host of a virtual machine took is among it. */
function coresOfOthers({ cores, machineBusyShare }: Step): number {
  const own = cores.reduce((sum, { share }) => sum + share, 0)
  return Math.max(0, machineBusyShare * availableParallelism() - own)
}

/** The share of all cores that other programs may use in a step that fails. */
const DISTURBED_SHARE = 0.1

function isDisturbed(step: Step): boolean {
  return coresOfOthers(step) / availableParallelism() > DISTURBED_SHARE
}

/** Which process had no more of the machine to take, at the rate that was too high. */
export function nameLimit({ knee, beyond }: Climb): string {
  const { cores, machineBusyShare, objections } = beyond ?? knee
  const count = availableParallelism()
  const others = coresOfOthers(beyond ?? knee)
  const shares = [...cores, { name: 'other programs', share: others }]
    .toSorted((a, b) => b.share - a.share)
    .map(({ name, share }) => `${name} ${share.toFixed(2)}`)
    .join(', ')
  const full = cores.filter(({ name, share }) => name !== 'PostgreSQL' && share >= FULL_SHARE)
  const names = full.map(({ name }) => name).join(' and ')
  if (full.length > 0) return `${names}, at a whole core (cores: ${shares})`
  if (machineBusyShare < FULL_SHARE) {
    return `no CPU: ${objections.join(', ') || 'the highest rate that was tried held'} (cores: ${shares})`
  }
  const whose = others / count > OTHERS_SHARE_MAX ? ', much of them by programs that have no part in the run' : ''
  return `the machine’s ${count} cores, all busy${whose} (cores: ${shares})`
}
