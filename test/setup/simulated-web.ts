/** The web that a test service sees: nothing of it is outside this machine. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ListeningWeb, type SimulatedSite, SimulatedWeb } from '../../rig/web/index.ts'
import type { SimulatedWebConfig } from '../../src/config/settings.ts'

export interface TestWeb {
  web: ListeningWeb
  config: SimulatedWebConfig
  close(): Promise<void>
}

export async function openTestWeb(sites: Record<string, SimulatedSite>): Promise<TestWeb> {
  const web = await (await SimulatedWeb.fromSites(sites)).listen()
  const folder = await mkdtemp(join(tmpdir(), 'nameplate-test-web-'))
  const certificateAuthorityFile = join(folder, 'ca.pem')
  const { certificateAuthority, ...ports } = web.settings
  await writeFile(certificateAuthorityFile, certificateAuthority)
  return {
    web,
    config: { ...ports, certificateAuthorityFile },
    close: async () => {
      await web.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
