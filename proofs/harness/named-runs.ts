import { parseArgs } from 'node:util'
import { type ProofExtras, recordProof } from './record.ts'
import { type Bounds, isWithin, type Proof } from './render.ts'

const FLAGS = {
  json: { type: 'boolean', default: false },
  /** The form for continuous integration. */
  short: { type: 'boolean', default: false },
  record: { type: 'boolean', default: false },
  seed: { type: 'string' },
  rows: { type: 'string' },
  domains: { type: 'string' },
  minutes: { type: 'string' },
  /** Requests a second. */
  rate: { type: 'string' },
  /** A folder or archive with the sites to crawl. */
  world: { type: 'string' },
  // Of `canary` and of `model` alone.
  plant: { type: 'string' },
  path: { type: 'string' },
  'replay-path': { type: 'string' },
} as const

/** Each run reads the flags that mean something to it. */
export interface RunOptions {
  json: boolean
  short: boolean
  /** Decides every choice; printed, so that a run can be repeated. */
  seed: number
  rows: number | undefined
  domains: number | undefined
  minutes: number | undefined
  rate: number | undefined
  /** The texts as they were given. */
  given: Record<'seed' | 'world' | 'plant' | 'path' | 'replay-path', string | undefined>
  /** Prints how far the run is; silent under --json. */
  say: (line: string) => void
}

export type RunReport = Record<string, unknown> & ProofExtras & { ok?: boolean }

export interface NamedRun {
  about: string
  /** With it, `--record` writes the run's section of docs/proof.md. */
  proof?: Proof
  /** What the figures of the short form must keep. They leave room for a busy machine: what is lost is lost by more. */
  short?: Readonly<Record<string, Bounds>>
  run(options: RunOptions): Promise<RunReport>
}

const SILENCE_MS_MAX = 5_000
const SEED_MAX = 2 ** 31

/** A family of commands, `npm run <family> -- <name>`: prints every figure, and fails when one is out of bounds. */
export async function runNamed(family: string, runs: Readonly<Record<string, NamedRun>>): Promise<void> {
  const [name = '', ...argv] = process.argv.slice(2)
  const named = Object.hasOwn(runs, name) ? runs[name] : undefined
  if (!named) {
    console.error(`Usage: npm run ${family} -- <name> [--short] [--json] [--record] [--seed N] [--rows N]\n`)
    for (const [known, { about, proof }] of Object.entries(runs))
      console.error(`  ${known.padEnd(12)} ${about}${proof ? ' [--record]' : ''}`)
    process.exitCode = name === '--help' ? 0 : 2
    return
  }
  const { isRecorded, ...flags } = readFlags(argv)
  if (isRecorded && (!named.proof || flags.short)) {
    console.error(named.proof ? 'A short run is not recorded.' : `${name} has no section in docs/proof.md.`)
    process.exitCode = 2
    return
  }
  using voice = flags.json ? MUTE : createVoice()
  const report = await named.run({ ...flags, say: voice.say })
  const { details: _details, versions: _versions, ...figures } = report
  if (flags.json) console.log(JSON.stringify(figures))
  else for (const [figure, value] of Object.entries(figures)) console.log(`${figure.padEnd(28)} ${toText(value)}`)
  if (isRecorded && named.proof)
    recordProof({ name, command: `npm run ${family} -- ${name}`, proof: named.proof }, report)
  const broken = Object.entries(flags.short ? (named.short ?? {}) : {}).filter(
    ([figure, bounds]) => !isWithin(Number(report[figure]), bounds),
  )
  for (const [figure, { atLeast = '', atMost = '' }] of broken)
    console.error(`${figure} is ${toText(report[figure])}, and not from ${atLeast} to ${atMost}`)
  if (report.ok === false || broken.length > 0) process.exitCode = 1
}

function readFlags(argv: readonly string[]) {
  const { values } = parseArgs({ args: [...argv], options: FLAGS })
  const { json, short, record, rows, domains, minutes, rate, seed, world, plant, path } = values
  const toNumber = (text: string | undefined) => (text === undefined ? undefined : Number(text))
  return {
    json,
    short,
    isRecorded: record,
    seed: toNumber(seed) ?? Math.trunc(Math.random() * SEED_MAX),
    rows: toNumber(rows),
    domains: toNumber(domains),
    minutes: toNumber(minutes),
    rate: toNumber(rate),
    given: { seed, world, plant, path, 'replay-path': values['replay-path'] },
  }
}

const MUTE = { say: () => undefined, [Symbol.dispose]: () => undefined }

/** Prints lines with the seconds since the start, and a sign of life when a long step has none. */
function createVoice(): Pick<RunOptions, 'say'> & Disposable {
  const print = (line: string) => {
    console.log(`${(performance.now() / 1_000).toFixed(1).padStart(6)} s  ${line}`)
    timer.refresh()
  }
  const timer = setInterval(() => print('…'), SILENCE_MS_MAX)
  return { say: print, [Symbol.dispose]: () => clearInterval(timer) }
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
