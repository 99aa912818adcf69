import { ensureConsole } from '../../console/build.ts'

export default ensureConsole
