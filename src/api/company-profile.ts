import type { App } from '../app.ts'
import type { Server } from '../http/instance.ts'

export function companyProfileDoor(_app: App, _server: Server): void {}
