/** `npm run chaos -- <name> [--short] [--json]`: faults and kills on purpose; prints what was checked, `ok` last. */
import { runNamed } from '../harness/named-runs.ts'
import { chaosBulk } from './bulk.ts'
import { chaosCanary } from './canary.ts'
import { chaosDeliveries } from './deliveries.ts'
import { chaosDeploy } from './deploy.ts'
import { chaosFailover } from './failover.ts'
import { chaosFollow } from './follow.ts'
import { chaosIsolation } from './isolation.ts'
import { chaosModel } from './model.ts'
import { chaosReader } from './reader.ts'
import { chaosResolution } from './resolution.ts'
import { chaosRestore } from './restore.ts'
import { chaosTamper } from './tamper.ts'

await runNamed('chaos', {
  bulk: chaosBulk,
  canary: chaosCanary,
  deliveries: chaosDeliveries,
  deploy: chaosDeploy,
  failover: chaosFailover,
  follow: chaosFollow,
  isolation: chaosIsolation,
  model: chaosModel,
  reader: chaosReader,
  resolution: chaosResolution,
  restore: chaosRestore,
  tamper: chaosTamper,
})
