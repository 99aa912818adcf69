import cookie from '@fastify/cookie'
import formbody from '@fastify/formbody'
import type { App } from '../../app.ts'
import type { Server } from '../http/instance.ts'
import { NotSignedIn } from './session.ts'

/** Prepares what all pages share: cookies, forms, and the redirect to the sign-in page. */
export async function preparePages(_app: App, server: Server): Promise<void> {
  await server.register(cookie)
  await server.register(formbody)
  const answerError = server.errorHandler
  server.setErrorHandler((error, request, reply) => {
    if (!(error instanceof NotSignedIn)) return answerError.call(server, error as never, request, reply)
    const next = request.method === 'GET' ? request.url : '/console'
    return reply.redirect(`/sign-in?next=${encodeURIComponent(next)}`, 303)
  })
}
