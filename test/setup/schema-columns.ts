/** Every column of `schema.sql` as `table.column`, or those of some types. */
export function listColumns(schema: string, types?: readonly string[]): string[] {
  const tables = [...schema.matchAll(/^create (?:unlogged )?table (\w+) \(\n([\s\S]*?)^\)(?: partition by .*)?;/gm)]
  return tables.flatMap(([, table, body = '']) =>
    [...body.matchAll(/^ {2}(?!constraint )"?(\w+)"? ([\w[\]]+)/gm)]
      .filter(([, , type = '']) => types === undefined || types.includes(type))
      .map(([, column]) => `${table}.${column}`),
  )
}
