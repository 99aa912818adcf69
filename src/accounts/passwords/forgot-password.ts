import type { App } from '../../app.ts'
import type { Origin } from '../audit.ts'
import { sendResetJob } from '../jobs.ts'
import { throttle } from '../sign-in/throttle.ts'

/**
 * Requests a reset link. Known or not, the address costs one enqueued job and gets the same response: only the job looks
 * up whether there is an account, so neither response nor time reveals it.
 */
export async function requestPasswordReset(app: App, request: { email: string; origin: Origin }): Promise<void> {
  await throttle(app, 'forgot_password', request)
  await app.db.transaction((tx) => app.jobs.enqueue(tx, sendResetJob, { email: request.email }))
}
