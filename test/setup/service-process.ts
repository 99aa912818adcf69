/** The program of `startProcess`: one part of the service, with a route that spends a credit as the product does. */
import { flushCompileCache } from 'node:module'
import type { App } from '../../src/app.ts'
import { holdCredit } from '../../src/credits/index.ts'
import { sendError, toDomainError } from '../../src/entry/http/errors.ts'
import type { Server } from '../../src/entry/http/instance.ts'
import { startService } from '../../src/service.ts'
import { testConfig } from './config.ts'
import { type SpendPayload, spendJob, TEST_JOBS } from './jobs.ts'

interface SpendRequest extends Omit<SpendPayload, 'holdId'> {
  reference: string
}

const HOLD_LIFE_SECONDS = 45
const [role, databaseUrl = '', port = '0'] = process.argv.slice(2)

function spendRoutes(app: App, server: Server): void {
  server.post('/test/spend', async (request, reply) => {
    const { accountId, reference, outcome, workMs } = request.body as SpendRequest
    try {
      await app.db.transaction(async (tx) => {
        const at = app.clock.now()
        const hold = await holdCredit(tx, { accountId, reference, reason: 'test', lifeSeconds: HOLD_LIFE_SECONDS, at })
        await app.jobs.enqueue(tx, spendJob, { accountId, holdId: hold.id, outcome, workMs })
      })
      return await reply.code(202).send({ accepted: true })
    } catch (error) {
      return sendError(app, request, reply, toDomainError(error))
    }
  })
}

const origin = new URL(`http://127.0.0.1:${port}`)
const config = testConfig({
  databaseUrl,
  listen: { host: '127.0.0.1', port: Number(port) },
  baseUrl: origin,
  siteUrl: origin,
  logLevel: 'trace',
})
const roles = { serve: role === 'serve', work: role === 'work' }
const service = await startService(config, { ...roles, extraRoutes: [spendRoutes], extraJobs: TEST_JOBS })
// The test may kill this process before its end, when Node would write what it has compiled.
flushCompileCache()
process.stdout.write('ready\n')
process.once('SIGTERM', () => void service.close().then(() => process.exit(0)))
