/** The web as a process of its own: sites that nobody has read yet, and receivers of webhooks, which count what comes. */

import { makeSite } from '../../../rig/made-up-sites.ts'
import { Receiver, type SimulatedSite, SimulatedWeb } from '../../../rig/web/index.ts'
import { describeWeb } from '../../../rig/web/setting.ts'

export interface WebReady {
  pid: number
  /** As other processes are told of it. */
  setting: string
}

const KEEP_REQUESTS_MAX = 20
const [sites = '0', receivers = '0', authorityFile = ''] = process.argv.slice(2)
const receiver = new Receiver({ kind: 'ok' }, { keepMax: KEEP_REQUESTS_MAX })

const served: Record<string, SimulatedSite> = {}
for (let place = 0; place < Number(receivers); place += 1) served[`hooks-${place}.co.uk`] = { receiver }
for (let place = 0; place < Number(sites); place += 1) {
  const { domain, site } = makeSite(place)
  if (site) served[domain] = site
}

const web = await (await SimulatedWeb.fromSites(served)).listen()

process.on('message', () => process.send?.({ arrived: receiver.arrived }))
process.once('disconnect', () => process.exit(0))
const ready: WebReady = { pid: process.pid, setting: describeWeb(web, authorityFile) }
process.send?.(ready)
