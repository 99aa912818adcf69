/** Every column of `schema.sql` as `table.column`. */
export function listColumns(schema: string): string[] {
  const tables = [...schema.matchAll(/^create (?:unlogged )?table (\w+) \(\n([\s\S]*?)^\);/gm)]
  return tables.flatMap(([, table, body = '']) =>
    [...body.matchAll(/^ {2}(?!constraint )"?(\w+)"? /gm)].map(([, column]) => `${table}.${column}`),
  )
}
