import type { App } from '../src/app.ts'
import { loadConfig } from '../src/config.ts'
import { createServer } from '../src/entry/http/server.ts'
import { createEntryPoints } from '../src/entry/routes.ts'
import { createLog } from '../src/lib/log.ts'
import { createSecrets } from '../src/lib/secrets.ts'

const KEY = Buffer.alloc(32, 1).toString('base64')

/** The OpenAPI document as text, as production would serve it. Routes are only described, so nothing is opened. */
export async function describeApi(): Promise<string> {
  const config = loadConfig({
    BASE_URL: 'https://api.nameplate.example',
    SITE_URL: 'https://nameplate.example',
    DATABASE_URL: 'postgresql://localhost/unused',
    SMTP_URL: 'smtps://unused',
    MAIL_FROM: 'unused',
    SEALING_KEYS: `k:${KEY}`,
    HASHING_KEY: KEY,
    METRICS_TOKEN: 'unused-unused-unused',
  })
  const log = createLog({ level: 'silent' })
  const app = { config, secrets: createSecrets(config), log } as unknown as App
  const server = await createServer(
    app,
    createEntryPoints(() => false),
  )
  await server.ready()
  const document = `${JSON.stringify(server.swagger(), null, 2)}\n`
  await server.close()
  return document
}
