import { parseArgs } from 'node:util'
import { type ProofExtras, recordProof } from './record.ts'
import { type Bounds, isWithin, type Proof } from './render.ts'

/** The flags that runs share; each run reads those that mean something to it. */
export interface RunOptions {
  json: boolean
  /** The form for continuous integration. */
  short: boolean
  /** Decides every choice; printed, so that a run can be repeated. */
  seed: number
  /** The flags of one run alone, such as `--plant`, as they were given. */
  given: Readonly<Partial<Record<TextFlag, string>>>
  rows?: number
  domains?: number
  /** Requests a second, where a run sends them at one rate. */
  rate?: number
  minutes?: number
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
const SWITCHES = ['json', 'short', 'record'] as const
const NUMBERS = ['rows', 'domains', 'rate', 'minutes'] as const
const TEXTS = ['seed', 'world', 'plant', 'path', 'replay-path'] as const
type TextFlag = (typeof TEXTS)[number]

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
  const { values } = parseArgs({
    args: [...argv],
    options: Object.fromEntries([
      ...SWITCHES.map((name) => [name, { type: 'boolean' as const }]),
      ...[...NUMBERS, ...TEXTS].map((name) => [name, { type: 'string' as const }]),
    ]) as Record<string, { type: 'boolean' | 'string' }>,
  })
  const pick = (names: readonly string[]) =>
    names.flatMap((name) => (values[name] === undefined ? [] : [[name, String(values[name])] as const]))
  const given: RunOptions['given'] = Object.fromEntries(pick(TEXTS))
  return {
    json: values['json'] === true,
    short: values['short'] === true,
    isRecorded: values['record'] === true,
    seed: Number(given.seed ?? Math.trunc(Math.random() * SEED_MAX)),
    given,
    ...Object.fromEntries(pick(NUMBERS).map(([name, text]) => [name, Number(text)])),
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
