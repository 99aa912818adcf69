import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { type ProofExtras, recordProof } from './record.ts'
import type { Proof } from './render.ts'

/** The flags that runs share; each run reads those that mean something to it. */
export interface RunOptions {
  json: boolean
  /** The form for continuous integration. */
  short: boolean
  /** Pictures and pages that show the run are written too. */
  record: boolean
  /** Decides every choice; printed, so that a run can be repeated. */
  seed: number
  rows?: number
  domains?: number
  /** Requests a second, where a run sends them at one rate. */
  rate?: number
  minutes?: number
  /** A folder or archive with the sites to crawl. */
  world?: string
  /** Prints how far the run is; silent under --json. */
  say: (line: string) => void
}

export type RunReport = Record<string, unknown> & ProofExtras & { ok?: boolean }

export interface NamedRun {
  about: string
  /** With it, `--record` writes the run's section of docs/proof.md. */
  proof?: Proof
  run(options: RunOptions): Promise<RunReport>
}

const SILENCE_MS_MAX = 5_000
const SEED_MAX = 2 ** 31

/** A family of commands, `npm run <family> -- <name>`: prints every figure, and fails when the report says it is not ok. */
export async function runNamed(family: { name: string; usage: string }, runs: Record<string, NamedRun>): Promise<void> {
  const [name = '', ...argv] = process.argv.slice(2)
  const named = Object.hasOwn(runs, name) ? runs[name] : undefined
  if (!named) {
    console.error(`Usage: npm run ${family.name} -- <name> [--short] [--json] ${family.usage}\n`)
    for (const [known, { about, proof }] of Object.entries(runs))
      console.error(`  ${known.padEnd(10)} ${about}${proof ? ' [--record]' : ''}`)
    process.exitCode = name === '--help' ? 0 : 2
    return
  }
  using options = readOptions(argv)
  if (options.record && (!named.proof || options.short)) {
    console.error(named.proof ? 'A short run is not recorded.' : `${name} has no section in docs/proof.md.`)
    process.exitCode = 2
    return
  }
  const report = await named.run(options)
  const { details: _details, versions: _versions, ...figures } = report
  if (options.json) console.log(JSON.stringify(figures))
  else for (const [figure, value] of Object.entries(figures)) console.log(`${figure.padEnd(28)} ${toText(value)}`)
  if (options.record && named.proof)
    recordProof({ name, command: `npm run ${family.name} -- ${name}`, proof: named.proof }, report)
  if (report.ok === false) process.exitCode = 1
}

const FLAGS = ['json', 'short', 'record']
const FIGURES = ['rows', 'domains', 'rate', 'minutes']
const TEXTS = ['seed', 'world', ...FIGURES]

function readOptions(argv: readonly string[]): RunOptions & Disposable {
  const options = [
    ...FLAGS.map((name) => [name, { type: 'boolean' }]),
    ...TEXTS.map((name) => [name, { type: 'string' }]),
  ]
  const { values } = parseArgs({
    args: [...argv],
    strict: false,
    options: Object.fromEntries(options) as ParseArgsOptionsConfig,
  })
  const { json, short, record, seed, world, ...numbers } = values
  const figures = FIGURES.flatMap((name) => (numbers[name] ? [[name, Number(numbers[name])]] : []))
  return {
    json: json === true,
    short: short === true,
    record: record === true,
    seed: seed === undefined ? Math.trunc(Math.random() * SEED_MAX) : Number(seed),
    ...Object.fromEntries(figures),
    ...(typeof world === 'string' ? { world } : {}),
    ...(json ? { say: () => undefined, [Symbol.dispose]: () => undefined } : createVoice()),
  }
}

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
