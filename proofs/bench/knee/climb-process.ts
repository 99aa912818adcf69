/** One climb to the knee, in a process of the release that it measures: its own code prepares the data and runs the service. */
import { serveParent } from '../../../rig/child.ts'
import { settleDeliveries } from '../mixed/changes.ts'
import { type Climb, type ClimbPlan, climb, nameLimit } from '../mixed/knee.ts'
import { openStage, type Stage, type StageSize } from '../mixed/stage.ts'
import { measureStep, type Step } from '../mixed/step.ts'
import { untilQuiet } from '../mixed/usage.ts'
import { startServers } from './servers.ts'

export interface ClimbQuestion {
  size: StageSize
  plan: ClimbPlan
  /** With a replica and crawl databases; without, on one server. */
  hasServers: boolean
  /** Climbs nowhere, and measures this rate for a few seconds. */
  onlyPerSecond?: number
}

/** A step without its requests. */
export type BareStep = Omit<Step, 'sent'>

export interface ClimbReport {
  knee: BareStep
  steps: BareStep[]
  limitedBy: string
  /** Wrong answers and broken requests at rates that held. */
  errors: number
  deliveriesLost: number
}

const DELIVERIES_MS_MAX = 30_000
const WARM_UP = { warmUpMs: 0, measuredMs: 20_000, seed: 2 }
const WARM_UP_SHARE = 0.7
const QUIET_MS_MAX = 60_000
const ONLY_TIMES = { warmUpMs: 1_000, measuredMs: 5_000, seed: 1 }

async function reply({ size, plan, hasServers, onlyPerSecond }: ClimbQuestion): Promise<ClimbReport> {
  await using opened = new AsyncDisposableStack()
  const servers = hasServers ? opened.use(await startServers()) : undefined
  const stage = opened.use(await openStage(size, () => undefined, servers))
  // What the preparation has caused belongs to no rate.
  await untilQuiet(stage.app, QUIET_MS_MAX)
  const found =
    onlyPerSecond === undefined
      ? await climbWarm(stage, plan)
      : await measureStep(stage, { ...ONLY_TIMES, perSecond: onlyPerSecond }).then((step) => {
          return { steps: [step], knee: step, beyond: null }
        })
  const { deliveries_lost: lost } = await settleDeliveries(stage, DELIVERIES_MS_MAX)
  const held = found.steps.filter(({ perSecond }) => perSecond <= found.knee.perSecond)
  return {
    knee: toBare(found.knee),
    steps: found.steps.map(toBare),
    limitedBy: nameLimit(found),
    errors: held.reduce((sum, { errors }) => sum + errors, 0),
    deliveriesLost: lost,
  }
}

/** A process that has just started plans its statements and compiles its code, which belongs to no rate. */
async function climbWarm(stage: Stage, plan: ClimbPlan): Promise<Climb> {
  await measureStep(stage, { ...WARM_UP, perSecond: plan.firstPerSecond * WARM_UP_SHARE })
  await untilQuiet(stage.app, QUIET_MS_MAX)
  return climb(stage, () => undefined, plan)
}

function toBare({ sent: _sent, ...step }: Step): BareStep {
  return step
}

serveParent('ready', reply)
