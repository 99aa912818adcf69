import type { App } from '../../app.ts'
import type { Origin } from '../audit.ts'
import { resendVerificationJob } from '../jobs.ts'
import { throttle } from '../sign-in/throttle.ts'

/**
 * Asks for another verification link. As with a reset, whether there is an account that waits for one is only looked up
 * in the job, so neither answer nor time tells.
 */
export async function requestVerification(app: App, request: { email: string; origin: Origin }): Promise<void> {
  await throttle(app, 'resend_verification', request)
  await app.db.transaction((tx) => app.jobs.enqueue(tx, resendVerificationJob, { email: request.email }))
}
