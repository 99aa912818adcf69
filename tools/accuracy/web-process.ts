/** The simulated web of a world as a process of its own, so that its work is not counted as the resolver's. */
import { writeFileSync } from 'node:fs'
import { SimulatedWeb } from '../../sim/web/index.ts'

const [folder = '', authorityFile = ''] = process.argv.slice(2)
const web = await SimulatedWeb.fromWorld(folder)
const { settings } = await web.listen()
writeFileSync(authorityFile, settings.certificateAuthority)
const { dnsServer, httpPort, httpsPort } = settings
process.send?.({ simulatedWeb: `dns=${dnsServer} http=${httpPort} https=${httpsPort} ca=${authorityFile}` })
// Whoever started this ends it by letting go of the channel, also when it was killed.
process.once('disconnect', () => process.exit(0))
// Ctrl-C reaches the whole group; the web stays until the run that uses it has ended.
process.on('SIGINT', () => undefined)
