/** A simulated web and a mailbox, with the settings that lead a process to them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Mailbox } from './mailbox.ts'
import type { Settings } from './settings.ts'
import { type ListeningWeb, type SimulatedSite, SimulatedWeb } from './web/index.ts'
import { describeWeb } from './web/setting.ts'

export interface Surroundings extends AsyncDisposable {
  web: ListeningWeb
  mailbox: Mailbox
  settings: Settings
}

/** `sites` by host; there are no others until `web.setSite` adds them. */
export async function openSurroundings(sites: Record<string, SimulatedSite> = {}): Promise<Surroundings> {
  await using opened = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'nameplate-surroundings-'))
  opened.defer(() => rmSync(folder, { recursive: true, force: true }))
  const mailbox = opened.adopt(new Mailbox(), (each) => each.close())
  const web = opened.use(await (await SimulatedWeb.fromSites(sites)).listen())
  const settings = {
    SIMULATED: 'mailbox,web',
    SIMULATED_WEB: describeWeb(web, join(folder, 'authority.pem')),
    SMTP_URL: await mailbox.listen(),
  }
  const all = opened.move()
  return { web, mailbox, settings, [Symbol.asyncDispose]: () => all.disposeAsync() }
}
