import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import type { App } from '../../app.ts'
import { AGENT_NAME } from '../../resolver/crawl/robots.ts'
import { botRoutes } from './bot.ts'

test('a site owner who follows our user agent learns how to refuse it and whom to ask', async () => {
  const server = fastify()
  botRoutes({ config: { mailFrom: 'Nameplate <hello@nameplate.test>' } } as App, server)
  const { statusCode, body, headers } = await server.inject('/bot')
  expect(statusCode).toBe(200)
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(body).toContain(`User-agent: ${AGENT_NAME}\nDisallow: /`)
  expect(body).toContain('href="mailto:hello@nameplate.test"')
})
