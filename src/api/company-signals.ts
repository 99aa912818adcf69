import type { App } from '../app.ts'
import type { Server } from '../http/instance.ts'

export function companySignalsDoor(_app: App, _server: Server): void {}
