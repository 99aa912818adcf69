import type { App } from '../../app.ts'
import type { Origin } from '../audit.ts'
import { resendVerificationJob } from '../jobs.ts'
import { throttle } from '../sign-in/throttle.ts'

/**
 * Requests another verification link. As with a reset, only the job looks up whether an account waits for one, so neither
 * response nor time reveals it.
 */
export async function requestVerification(app: App, request: { email: string; origin: Origin }): Promise<void> {
  await throttle(app, 'resend_verification', request)
  await app.db.transaction((tx) => app.jobs.enqueue(tx, resendVerificationJob, { email: request.email }))
}
