/** The world's web and one receiver of webhooks as a process of its own, so that their work is not the product's. */
import { Receiver, SimulatedWeb } from '../../../rig/web/index.ts'
import { describeWeb } from '../../../rig/web/setting.ts'

export const RECEIVER_URL = 'https://units-receiver.co.uk/in'

export interface WebReady {
  setting: string
  pid: number
}

if (import.meta.main) {
  const [folder = '', authorityFile = ''] = process.argv.slice(2)
  const web = await SimulatedWeb.fromWorld(folder)
  const listening = await web.listen()
  listening.setSite(new URL(RECEIVER_URL).hostname, { receiver: new Receiver() })
  process.on('message', () => process.send?.(listening.stats.requests))
  process.once('disconnect', () => process.exit(0))
  const setting = describeWeb(listening, authorityFile)
  process.send?.({ setting, pid: process.pid } satisfies WebReady)
}
