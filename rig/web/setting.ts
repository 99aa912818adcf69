import { writeFileSync } from 'node:fs'
import type { SimulatedWebConfig } from '../../src/config/settings.ts'
import type { ListeningWeb } from './index.ts'

/** The value of SIMULATED_WEB, by which a process of its own finds the web. */
export function toWebSetting({ dnsServer, httpPort, httpsPort, certificateAuthorityFile }: SimulatedWebConfig): string {
  return `dns=${dnsServer} http=${httpPort} https=${httpsPort} ca=${certificateAuthorityFile}`
}

/** The same of a web in this process; its certificate authority is written to the file. */
export function describeWeb({ settings }: Pick<ListeningWeb, 'settings'>, certificateAuthorityFile: string): string {
  const { certificateAuthority, ...ports } = settings
  writeFileSync(certificateAuthorityFile, certificateAuthority)
  return toWebSetting({ ...ports, certificateAuthorityFile })
}
