/** The program of `startWorker`. */
import { flushCompileCache } from 'node:module'
import { startService } from '../../src/service.ts'
import { testConfig } from './config.ts'
import { TEST_JOBS } from './jobs.ts'

const [databaseUrl = ''] = process.argv.slice(2)
const config = testConfig({ databaseUrl, logLevel: 'trace' })
const service = await startService(config, { serve: false, work: true, extraJobs: TEST_JOBS })
// The test may kill this process before its end, when Node would write what it has compiled.
flushCompileCache()
process.stdout.write('ready\n')
process.once('SIGTERM', () => void service.close().then(() => process.exit(0)))
