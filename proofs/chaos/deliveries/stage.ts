/** What deliveries need around them: a PostgreSQL, the web of their receivers, a mailbox, and the app that raises signals. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Mailbox } from '../../../rig/mailbox.ts'
import { benchEnvironment } from '../../../rig/stage.ts'
import { type ListeningWeb, SimulatedWeb } from '../../../rig/web/index.ts'
import { describeWeb } from '../../../rig/web/setting.ts'
import { type App, closeApp, openApp } from '../../../src/app.ts'
import { loadConfig } from '../../../src/config.ts'
import { createLog } from '../../../src/lib/log.ts'
import { migrateDatabase } from '../../../src/service.ts'
import { RestartablePostgres } from './restartable-postgres.ts'

export interface Stage extends AsyncDisposable {
  app: App
  web: ListeningWeb
  mailbox: Mailbox
  postgres: RestartablePostgres
}

/** `settings` are those of webhooks; a worker of its own must be told them too. */
export async function openStage(settings: Record<string, string>): Promise<Stage> {
  await using opened = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'nameplate-deliveries-'))
  opened.defer(() => rmSync(folder, { recursive: true, force: true }))
  const postgres = opened.use(await RestartablePostgres.start(join(folder, 'postgres')))
  const mailbox = opened.adopt(new Mailbox(), (each) => each.close())
  const web = opened.use(await (await SimulatedWeb.fromSites({})).listen())
  const config = loadConfig({
    ...benchEnvironment(postgres.url),
    SMTP_URL: await mailbox.listen(),
    SIMULATED: 'web',
    SIMULATED_WEB: describeWeb(web, join(folder, 'authority.pem')),
    ...settings,
  })
  const log = createLog({ level: 'error' })
  await migrateDatabase(config, log)
  const app = opened.adopt(await openApp(config, { runsJobs: false, log }), closeApp)
  const all = opened.move()
  return { app, web, mailbox, postgres, [Symbol.asyncDispose]: () => all.disposeAsync() }
}
