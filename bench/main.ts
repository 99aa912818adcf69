/** `npm run bench -- <name> [--json]`: measurements as ratios of our path to the bare engine, in one run. */
import { benchJobs } from './jobs.ts'

export interface BenchOptions {
  json: boolean
  short: boolean
}

const BENCHES: Record<string, { about: string; run(options: BenchOptions): Promise<Record<string, unknown>> }> = {
  jobs: { about: 'our job layer against bare pg-boss: throughput and pick-up time', run: benchJobs },
}

const [name = ''] = process.argv.slice(2).filter((argument) => !argument.startsWith('-'))
const options = { json: process.argv.includes('--json'), short: process.argv.includes('--short') }
const bench = BENCHES[name]
if (!bench) {
  console.error('Usage: npm run bench -- <name> [--short] [--json]\n')
  for (const [known, { about }] of Object.entries(BENCHES)) console.error(`  ${known.padEnd(10)} ${about}`)
  process.exitCode = 2
} else {
  const figures = await bench.run(options)
  if (options.json) console.log(JSON.stringify(figures))
  else for (const [figure, value] of Object.entries(figures)) console.log(`${figure.padEnd(28)} ${String(value)}`)
}
