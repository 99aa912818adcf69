/**
 * Adds to package-lock.json the platform builds that npm left out: a registry mirror need not hold the builds for other
 * systems, and then `npm ci` refuses the lock file everywhere. The versions are those the parent packages name exactly;
 * on each system npm installs its own build and skips the rest. Run after changing dependencies: `npm run lock`.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type LockedPackage, ROOT, readLock } from './dependencies/lock-file.ts'

const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32']
const PROCESSORS = ['arm64', 'arm', 'ia32', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']

const lock = readLock()
let added = 0
for (const parent of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const path = `node_modules/${name}`
    if (lock.packages[path] || !/^\d/.test(version) || existsSync(join(ROOT, path))) continue
    lock.packages[path] = { version, ...platformOf(name), ...(parent.dev ? { dev: true } : {}), optional: true }
    added += 1
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(join(ROOT, 'package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`)
console.log(`added ${added} platform builds to package-lock.json`)

function platformOf(name: string): Pick<LockedPackage, 'os' | 'cpu' | 'libc'> {
  const os = SYSTEMS.find((system) => name.includes(system))
  const cpu = PROCESSORS.find((processor) => name.includes(processor))
  const libc = name.endsWith('musl') ? 'musl' : name.endsWith('gnu') ? 'glibc' : undefined
  return {
    ...(os ? { os: [os] } : {}),
    ...(cpu ? { cpu: [cpu] } : {}),
    ...(libc && os === 'linux' ? { libc: [libc] } : {}),
  }
}
