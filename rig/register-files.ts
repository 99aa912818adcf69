/** Loads the files of a simulated register: its companies, then the people and companies that control them. */
import { text } from 'node:stream/consumers'
import type { App } from '../src/app.ts'
import { openDownload } from '../src/lib/web/download.ts'
import { importPscs, importSnapshot, openPscSnapshot, openSnapshotFile, silentProgress } from '../src/register/index.ts'

export async function loadRegister(app: App, bulkUrl: string): Promise<void> {
  const index = await text(await openDownload(new URL('/en_output.html', bulkUrl).href))
  const name = /BasicCompanyDataAsOneFile[\w-]*\.zip/.exec(index)?.[0] ?? ''
  const file = await openSnapshotFile(new URL(`/${name}`, bulkUrl).href, openDownload)
  await importSnapshot(app, file, silentProgress)
  await file.close()
  await loadOwners(app, bulkUrl)
}

async function loadOwners(app: App, bulkUrl: string): Promise<void> {
  const index = await text(await openDownload(new URL('/en_pscdata.html', bulkUrl).href))
  const parts = [...index.matchAll(/href="([^"]+)"/g)].map(([, name = '']) => new URL(`/${name}`, bulkUrl).href)
  const owners = await openPscSnapshot(parts, openDownload)
  await importPscs(app, owners, silentProgress)
  await owners.close()
}
