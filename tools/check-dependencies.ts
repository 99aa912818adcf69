/** Checks our dependencies: licences, exact versions, hashes, install scripts and known vulnerabilities. */
import { join } from 'node:path'
import { auditProduction } from './dependencies/audit.ts'
import { checkLicences } from './dependencies/licences.ts'
import { findLockProblems, type Manifest, ROOT, readJson, readLock } from './dependencies/lock-file.ts'

const lock = readLock()

const licences = checkLicences(ROOT, lock)
const byCount = [...licences.counts].sort(([, one], [, other]) => other - one)
console.log('licences of installed packages:')
for (const [licence, count] of byCount) console.log(`  ${String(count).padStart(4)}  ${licence}`)
console.log(`  ${String(licences.notInstalled).padStart(4)}  (builds for other systems, not installed)`)

/** A generator of types that a check installs has a lock file of its own. */
const FOLDERS = [ROOT, join(ROOT, 'tools/second-types')]
const lockProblems = FOLDERS.flatMap((folder) =>
  findLockProblems({ manifest: readJson(folder, 'package.json') as Manifest, lock: readLock(folder) }),
)
const problems = [...licences.problems, ...lockProblems]

const audit = await auditProduction(ROOT)
if (audit.kind === 'found') problems.push(...audit.advisories)
if (audit.kind === 'clean') console.log('audit: nothing grave is known against what production runs on')
if (audit.kind === 'unknown')
  console.log(`audit: NOT DONE, the registry does not answer advisories here (${audit.why})`)

for (const problem of problems) console.error(problem)
console.log(`dependencies: ${Object.keys(lock.packages).length - 1} locked, ${problems.length} problems`)
if (problems.length > 0) process.exitCode = 1
