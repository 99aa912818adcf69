/** `npm run chaos -- <name> [--short] [--json]`: faults and kills on purpose; prints what was checked, `ok` last. */
import { chaosBulk } from './bulk.ts'
import { chaosDeliveries } from './deliveries.ts'
import { chaosFollow } from './follow.ts'
import { chaosIsolation } from './isolation.ts'
import { chaosResolution } from './resolution.ts'

export interface ChaosOptions {
  json: boolean
  short: boolean
}

export interface ChaosReport extends Record<string, unknown> {
  ok: boolean
}

const RUNS: Record<string, { about: string; run(options: ChaosOptions): Promise<ChaosReport> }> = {
  bulk: {
    about: 'a list of 10,000 rows while workers are killed: counts that add up throughout, each row its one outcome',
    run: chaosBulk,
  },
  deliveries: {
    about: 'signals delivered while receivers misbehave, workers are killed and PostgreSQL restarts: none is lost',
    run: chaosDeliveries,
  },
  follow: {
    about: 'the register followed through every fault and kill -9: nothing missing, nothing twice',
    run: chaosFollow,
  },
  isolation: {
    about: 'signals delivered beside 200 receivers that hang: those that are well do not wait',
    run: chaosIsolation,
  },
  resolution: {
    about: 'domains asked for while workers are killed: every job ends, and each match is paid for once',
    run: chaosResolution,
  },
}

const [name = ''] = process.argv.slice(2)
const chaos = RUNS[name]
if (!chaos) {
  console.error('Usage: npm run chaos -- <name> [--short] [--json]\n')
  for (const [known, { about }] of Object.entries(RUNS)) console.error(`  ${known.padEnd(10)} ${about}`)
  process.exitCode = 2
} else {
  const options = { json: process.argv.includes('--json'), short: process.argv.includes('--short') }
  const report = await chaos.run(options)
  if (options.json) console.log(JSON.stringify(report))
  else for (const [figure, value] of Object.entries(report)) console.log(`${figure.padEnd(28)} ${String(value)}`)
  if (!report.ok) process.exitCode = 1
}
