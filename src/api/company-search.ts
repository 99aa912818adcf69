import type { App } from '../app.ts'
import type { Server } from '../http/instance.ts'

export function companySearchDoor(_app: App, _server: Server): void {}
