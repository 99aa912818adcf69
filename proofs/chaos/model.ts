/**
 * Compares the real service with a small model of the money and the jobs: fast-check draws sequences of commands, each is
 * done to both, and after every step the response, the ledger's laws and all that the model expects are compared. A
 * sequence that shows a difference is shrunk to the shortest that still does.
 */
import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { executeSql } from '../../rig/postgres.ts'
import { ScratchDatabase } from '../../rig/scratch-database.ts'
import { every } from '../../rig/until.ts'
import type { NamedRun, RunOptions, RunReport } from '../harness/named-runs.ts'
import { COMMANDS } from './model/commands.ts'
import { closeSequence, type Opening, openSequence } from './model/sequence.ts'
import { openStage, type Stage } from './model/stage.ts'
import type { Model } from './model/state.ts'
import { Tally, type World } from './model/step.ts'

/** Each service waits for its database most of the time, so several run side by side. */
const FULL = { steps: 10_000, sequencesEach: 10, services: 4 }
const SHORT = { steps: 400, sequencesEach: 3, services: 2 }
const COMMANDS_MAX = 60
/** Then the shortest sequence so far is reported. */
const SHRINK_MS_MAX = 90_000
const PROGRESS_MS = 5_000
const SEED_MAX = 2 ** 31 - 1

/** The arguments that repeat a run: a failing one prints all three. */
interface Replay {
  seed: number
  path?: string
  replayPath?: string
}

type Sequence = [Opening, Iterable<fc.AsyncCommand<Model, World>>]

export const chaosModel: NamedRun = {
  about: 'sequences of commands drawn at random against a model of money and jobs [--seed N --path P --replay-path R]',
  proof: {
    title: 'Money and jobs against a model',
    about:
      'Sequences of commands are drawn at random: questions, repeats, two at once for the last credit, ' +
      'jobs, dying workers, deadlines, reviews, disputes, bulk jobs, keys. Each is done to a small model ' +
      'and to the real service. After every step the response, the laws of the ledger in SQL, and balance, ' +
      'jobs, payments, reviews, usage and queues of both accounts are compared.',
    figures: {
      steps: { label: 'commands run', atLeast: 10_000 },
      sequences: { label: 'sequences' },
      commands: { label: 'kinds of command' },
      invariant_checks: { label: 'comparisons after steps' },
      violations: { label: 'differences found', atMost: 0 },
      seconds: { label: 'time', unit: 's' },
    },
  },
  run,
}

async function run(options: RunOptions): Promise<RunReport> {
  const startedAt = Date.now()
  const tally = new Tally()
  const run: Run = {
    tally,
    size: options.short ? SHORT : FULL,
    replay: readReplay(options),
    seeds: [],
    failure: null,
  }
  const { seeds } = run
  await using database = await ScratchDatabase.open()
  using _progress = every(PROGRESS_MS, () => options.say(describeProgress(tally)))
  const count = run.replay ? 1 : run.size.services
  await Promise.all(Array.from({ length: count }, (_, index) => runSeeds(run, database.url, `model_${index}`)))
  const { failure } = run
  if (!options.json) console.log(failure ?? tally.toMarkdown())
  return {
    steps: tally.steps,
    sequences: tally.sequences,
    commands: tally.kinds,
    invariant_checks: tally.checks,
    seeds: seeds.join(', '),
    violations: failure ? 1 : 0,
    seconds: Math.round((Date.now() - startedAt) / 1_000),
    ...(failure && options.json ? { failure } : {}),
    ok: failure === null,
  }
}

/** Shared by the services. */
interface Run {
  tally: Tally
  size: typeof FULL
  replay: Replay | null
  seeds: number[]
  failure: string | null
}

async function createDatabase(serverUrl: string, name: string): Promise<string> {
  await executeSql(serverUrl, `create database ${name}`)
  // No server dies here, so nothing is gained by waiting for the disk.
  await executeSql(serverUrl, `alter database ${name} set synchronous_commit = off`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

async function runSeeds(run: Run, serverUrl: string, name: string): Promise<void> {
  await using stage = await openStage(await createDatabase(serverUrl, name))
  const { tally, size, replay, seeds } = run
  const isOver = () => run.failure !== null || (replay ? seeds.length > 0 : tally.steps >= size.steps)
  while (!isOver()) {
    const seed = replay?.seed ?? randomInt(SEED_MAX)
    seeds.push(seed)
    const failure = await runSeed({ stage, tally }, { ...replay, seed }, size.sequencesEach)
    run.failure ??= failure
  }
}

async function runSeed(
  { stage, tally }: World,
  { seed, path, replayPath }: Replay,
  count: number,
): Promise<string | null> {
  const opening = fc.record({ credits: fc.tuple(fc.nat(4), fc.nat(4)), hasPlan: fc.boolean() })
  const commands = fc.commands(COMMANDS, {
    maxCommands: COMMANDS_MAX,
    size: 'max',
    ...(replayPath === undefined ? {} : { replayPath }),
  })
  let failedAt: number | null = null
  const property = fc.asyncProperty(opening, commands, async (open, steps) => {
    if (failedAt !== null && Date.now() - failedAt > SHRINK_MS_MAX) return
    try {
      await runSequence(stage, tally, [open, steps])
    } catch (error) {
      failedAt ??= Date.now()
      throw error
    }
  })
  const details = await fc.check(property, {
    seed,
    numRuns: count,
    ...(path === undefined ? {} : { path }),
  })
  return details.failed ? describeFailure(details) : null
}

async function runSequence(stage: Stage, tally: Tally, [opening, commands]: Sequence): Promise<void> {
  const model = await openSequence(stage, opening)
  tally.sequences += 1
  try {
    await fc.asyncModelRun(() => ({ model, real: { stage, tally } }), commands)
  } finally {
    await closeSequence(stage, model)
  }
}

function describeFailure(details: fc.RunDetails<[Opening, Iterable<fc.AsyncCommand<Model, World>>]>): string {
  const { seed, counterexamplePath: path, counterexample, errorInstance, numShrinks } = details
  const [opening, commands] = counterexample ?? []
  const steps = fc.stringify(commands)
  const [, replayPath = ''] = /replayPath="([^"]*)"/.exec(steps) ?? []
  // No command has a comma in its words.
  const lines = steps
    .replace(/\/\*.*\*\//, '')
    .split(',')
    .map((line) => line.trim())
  const why = errorInstance instanceof Error ? errorInstance.message : String(errorInstance)
  return [
    `The service and the model differ (after ${numShrinks} shrinks):`,
    `  opening: ${JSON.stringify(opening)}`,
    ...lines.filter((line) => line !== '').map((line, index) => `  ${index + 1}. ${line}`),
    `  ${why}`,
    `Again: npm run chaos -- model --seed ${seed} --path ${path} --replay-path ${replayPath}`,
  ].join('\n')
}

function readReplay({ seed, given }: RunOptions): Replay | null {
  const { path, 'replay-path': replayPath } = given
  if (given.seed === undefined) return null
  return { seed, ...(path ? { path } : {}), ...(replayPath ? { replayPath } : {}) }
}

function describeProgress({ steps, sequences, checks }: Tally): string {
  return `${steps} steps in ${sequences} sequences, ${checks} checks`
}
