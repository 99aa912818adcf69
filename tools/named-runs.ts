import { type Proof, type ProofExtras, recordProof } from './proof/record.ts'

export interface RunOptions {
  json: boolean
  /** The form for continuous integration. */
  short: boolean
}

export type RunReport = Record<string, unknown> & ProofExtras & { ok?: boolean }

export interface NamedRun<Options extends RunOptions = RunOptions> {
  about: string
  /** With it, `--record` writes the run's section of docs/proof.md. */
  proof?: Proof
  run(options: Options): Promise<RunReport>
}

/** A family of commands, `npm run <family> -- <name>`: prints every figure, and fails when the report says it is not ok. */
export async function runNamed<Options extends RunOptions>(
  family: { name: string; usage: string; readOptions(argv: readonly string[]): Options },
  runs: Record<string, NamedRun<Options>>,
): Promise<void> {
  const [name = '', ...argv] = process.argv.slice(2)
  const named = Object.hasOwn(runs, name) ? runs[name] : undefined
  if (!named) {
    console.error(`Usage: npm run ${family.name} -- <name> ${family.usage}\n`)
    for (const [known, { about, proof }] of Object.entries(runs))
      console.error(`  ${known.padEnd(10)} ${about}${proof ? ' [--record]' : ''}`)
    process.exitCode = name === '--help' ? 0 : 2
    return
  }
  const options = family.readOptions(argv)
  const record = argv.includes('--record')
  if (record && (!named.proof || options.short)) {
    console.error(named.proof ? 'A short run is not recorded.' : `Nothing of ${name} is told in docs/proof.md.`)
    process.exitCode = 2
    return
  }
  const report = await named.run(options)
  const { details: _details, versions: _versions, ...figures } = report
  if (options.json) console.log(JSON.stringify(figures))
  else for (const [figure, value] of Object.entries(figures)) console.log(`${figure.padEnd(28)} ${toText(value)}`)
  if (record && named.proof)
    recordProof({ name, command: `npm run ${family.name} -- ${name}`, proof: named.proof }, report)
  if (report.ok === false) process.exitCode = 1
}

export function readFlags(argv: readonly string[]): RunOptions {
  return { json: argv.includes('--json'), short: argv.includes('--short') }
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
