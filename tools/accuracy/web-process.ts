/** The simulated web of a world as a process of its own, so that its work is not counted as the resolver's. */
import { SimulatedWeb } from '../../rig/web/index.ts'
import { describeWeb } from '../../rig/web/setting.ts'

const [folder = '', authorityFile = ''] = process.argv.slice(2)
const web = await SimulatedWeb.fromWorld(folder)
process.send?.({ simulatedWeb: describeWeb(await web.listen(), authorityFile) })
// Ends when the parent process closes the channel, also if the parent was killed.
process.once('disconnect', () => process.exit(0))
// Ctrl-C reaches the whole group; the web stays until the run that uses it has ended.
process.on('SIGINT', () => undefined)
