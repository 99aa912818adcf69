/** `npm run chaos -- <name> [--short] [--json]`: faults and kills on purpose; prints what was checked, `ok` last. */
import { type NamedRun, runNamed } from '../harness/named-runs.ts'
import { BULK_PROOF, chaosBulk } from './bulk.ts'
import { chaosCanary } from './canary.ts'
import { chaosDeliveries } from './deliveries.ts'
import { chaosDeploy, DEPLOY_PROOF } from './deploy.ts'
import { chaosFailover, FAILOVER_PROOF } from './failover.ts'
import { chaosFollow, FOLLOW_PROOF } from './follow.ts'
import { chaosIsolation } from './isolation.ts'
import { chaosModel, MODEL_PROOF } from './model.ts'
import { chaosReader } from './reader.ts'
import { chaosResolution } from './resolution.ts'
import { chaosRestore, RESTORE_PROOF } from './restore.ts'
import { chaosTamper, TAMPER_PROOF } from './tamper.ts'

const RUNS: Record<string, NamedRun> = {
  bulk: {
    about: 'a file of 100,000 rows while workers are killed: counts that add up throughout, each row its one outcome',
    proof: BULK_PROOF,
    run: chaosBulk,
  },
  canary: {
    about:
      'a canary in every field of each account and mode, every request as every other account: none is shown [--plant NAME]',
    run: chaosCanary,
  },
  deliveries: {
    about: 'signals delivered while receivers misbehave, workers are killed and PostgreSQL restarts: none is lost',
    run: chaosDeliveries,
  },
  deploy: {
    about: 'a release goes out over a migration and is taken back under load: no request fails',
    proof: DEPLOY_PROOF,
    run: chaosDeploy,
  },
  failover: {
    about:
      'PostgreSQL fails over again and again under the service: nothing acknowledged is missing, nothing charged twice',
    proof: FAILOVER_PROOF,
    run: chaosFailover,
  },
  follow: {
    about: 'the register followed through every fault and kill -9: nothing missing, nothing twice',
    proof: FOLLOW_PROOF,
    run: chaosFollow,
  },
  isolation: {
    about: 'signals delivered beside 200 receivers that hang: those that are well do not wait',
    run: chaosIsolation,
  },
  model: {
    about:
      'sequences of commands drawn at random against a model of money and jobs [--seed N --path P --replay-path R]',
    run: chaosModel,
    proof: MODEL_PROOF,
  },
  reader: {
    about:
      'a language model that repeats, lies, is greedy, and dies: no match that the rules deny, no quote that is not there',
    run: chaosReader,
  },
  resolution: {
    about: 'domains requested while workers are killed: every job ends, and each match is paid for once',
    run: chaosResolution,
  },
  restore: {
    about: 'a backup under load, a mistake, a lost disk: restored to the end and to just before the mistake',
    proof: RESTORE_PROOF,
    run: chaosRestore,
  },
  tamper: {
    about: 'sealed evidence changed in every part, in files and in the database: each change is found and named',
    proof: TAMPER_PROOF,
    run: chaosTamper,
  },
}

await runNamed({ name: 'chaos', usage: '' }, RUNS)
