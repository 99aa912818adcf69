/** One follower as a process, with short pauses, for a run to kill. */
import { loadConfig } from '../../../src/config.ts'
import { startService } from '../../../src/service.ts'

const TIMES = { retryMs: 50, retryMsMax: 500, refusedMs: 100, leaseRenewMs: 1_000, silenceMsMax: 5_000 }

const service = await startService(loadConfig(process.env), {
  serve: false,
  work: false,
  follow: true,
  followTimes: TIMES,
})
process.stdout.write('ready\n')
process.once('SIGTERM', () => void service.close().then(() => process.exit(0)))
