import type { App } from '../../app.ts'
import type { Origin } from '../audit.ts'
import { sendResetJob } from '../jobs.ts'
import { throttle } from '../sign-in/throttle.ts'

/**
 * Asks for a reset link. Known or not, the address costs one enqueued job and the same answer: whether there is an
 * account is only looked up in the job, so neither answer nor time tells.
 */
export async function requestPasswordReset(app: App, request: { email: string; origin: Origin }): Promise<void> {
  await throttle(app, 'forgot_password', request)
  await app.db.transaction((tx) => app.jobs.enqueue(tx, sendResetJob, { email: request.email }))
}
