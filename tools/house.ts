/**
 * `npm run house [-- --json | --tables | --paths]`: how much a reader of this repository has to take in. A report: nothing is
 * limited by it.
 */
import { tracePaths } from './house/paths.ts'
import { findCycles, isProduct, readSources } from './house/sources.ts'
import { listForeignUses, listTables } from './house/tables.ts'

const { argv } = process
if (argv.includes('--tables')) {
  for (const { file, table, owner, isWrite } of listForeignUses()) {
    console.log(`${file} ${isWrite ? 'writes' : 'reads'} ${table} of ${owner}`)
  }
} else if (argv.includes('--paths')) {
  for (const { name, files } of await tracePaths()) {
    console.log(`\n${name}: ${files.length} files`)
    for (const [folder, inIt] of Map.groupBy(files, (file) => file.split('/')[1] ?? '')) {
      console.log(`${String(inIt.length).padStart(5)}  ${folder}`)
    }
    console.log(files.join('\n'))
  }
} else {
  const counts = countHouse()
  if (argv.includes('--json')) console.log(JSON.stringify(counts))
  else for (const [name, count] of Object.entries(counts)) console.log(`${name.padEnd(12)}${count}`)
}

function countHouse() {
  const sources = readSources()
  const product = sources.filter(isProduct)
  return {
    src_lines: product.reduce((sum, { lines }) => sum + lines, 0),
    src_files: product.length,
    cycles: findCycles(sources).length,
    tables: listTables().length,
  }
}
