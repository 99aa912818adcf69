/** The thread of `playSheet`: a sheet, its menu and the services of Apps Script, as far as our script uses them. */
import { createHash } from 'node:crypto'
import { createContext, runInContext } from 'node:vm'
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'

export interface SheetSetting {
  script: string
  cells: string[][]
  /** The selection: its first row and column from 1, and its size. */
  selected?: { row: number; column: number; rows: number; columns: number }
  /** The columns of the sheet, 26 where nothing is said. */
  columnsMax?: number
  /** Replies to windows that ask, one after another. */
  replies?: string[]
}

const { setting, flag, port } = workerData as { setting: SheetSetting; flag: SharedArrayBuffer; port: MessagePort }
const RESPONSE_MS_MAX = 60_000
const CACHE_VALUE_MAX = 100_000
const CACHE_KEY_MAX = 250
const ROWS_MAX = 1_000

type Cell = string | number | boolean

let cells: Cell[][] = setting.cells.map((row) => [...row])
/** The number formats of cells, by row and column. */
const formats = new Map<string, string>()
let sheetName = 'Sheet1'
let columnsMax = setting.columnsMax ?? 26
const properties = new Map<string, string>()
const cache = new Map<string, string>()
const replies = [...(setting.replies ?? [])]
const alerts: string[] = []
const menu: string[] = []

interface Asked {
  url: string
  method?: string
  headers?: Record<string, string>
  contentType?: string
  payload?: string
  muteHttpExceptions?: boolean
}

function fetchAll(requests: Asked[]) {
  const sent = requests.map(({ url, method = 'get', headers = {}, contentType, payload }) => ({
    url,
    method: method.toUpperCase(),
    headers: { ...headers, ...(contentType ? { 'content-type': contentType } : {}) },
    ...(payload === undefined ? {} : { payload }),
  }))
  parentPort?.postMessage({ id: 0, requests: sent })
  if (Atomics.wait(new Int32Array(flag), 0, 0, RESPONSE_MS_MAX) === 'timed-out') throw new Error('Timeout: no response')
  Atomics.store(new Int32Array(flag), 0, 0)
  const { message } = receiveMessageOnPort(port) as {
    message: Array<{ status: number; headers: object; text: string }>
  }
  return message.map(({ status, headers, text }, index) => {
    if (status >= 400 && !requests[index]?.muteHttpExceptions)
      throw new Error(`Request failed, returned code ${status}`)
    return { getResponseCode: () => status, getContentText: () => text, getAllHeaders: () => headers }
  })
}

/** A sheet reads what is put into a cell without a format as a person's typing: a text of digits becomes a number. */
function readTyped(value: Cell): Cell {
  return typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value
}

function rangeAt(row: number, column: number, rows: number, columns: number) {
  const at = (down: number, across: number) => cells[row - 1 + down]?.[column - 1 + across] ?? ''
  const all = () =>
    Array.from({ length: rows }, (_r, down) => Array.from({ length: columns }, (_c, across) => at(down, across)))
  if (row + rows - 1 > ROWS_MAX || column + columns - 1 > columnsMax)
    throw new Error('The coordinates of the range are outside the dimensions of the sheet.')
  const put = (down: number, across: number, value: Cell) => {
    while (cells.length < row + down) cells.push([])
    const isText = formats.get(`${row + down},${column + across}`) === '@'
    ;(cells[row - 1 + down] as Cell[])[column - 1 + across] = isText ? value : readTyped(value)
  }
  return {
    getDisplayValues: () => all().map((line) => line.map(String)),
    getFormulas: () => all().map((line) => line.map((cell) => (String(cell).startsWith('=') ? String(cell) : ''))),
    getSheet: () => sheet,
    getRow: () => row,
    getColumn: () => column,
    getLastColumn: () => column + columns - 1,
    getCell: (down: number, across: number) => rangeAt(row + down - 1, column + across - 1, 1, 1),
    setNumberFormat(format: string) {
      for (let down = 0; down < rows; down += 1)
        for (let across = 0; across < columns; across += 1) formats.set(`${row + down},${column + across}`, format)
    },
    setValue: (value: Cell) => put(0, 0, value),
    setFormula: (value: Cell) => put(0, 0, value),
    setValues(values: Cell[][]) {
      const isFitting = values.length === rows && values.every(({ length }) => length === columns)
      if (!isFitting) throw new Error('The number of rows or columns in the data does not match the range.')
      values.forEach((line, down) => line.forEach((value, across) => put(down, across, value)))
    },
  }
}

const sheet = {
  getName: () => sheetName,
  getSheetId: () => 0,
  getMaxRows: () => ROWS_MAX,
  getMaxColumns: () => columnsMax,
  insertColumnsAfter: (_after: number, count: number) => void (columnsMax += count),
  getRange: rangeAt,
  getDataRange: () => rangeAt(1, 1, cells.length, Math.max(1, ...cells.map(({ length }) => length))),
}
const spreadsheet = { getName: () => 'Leads', getSheets: () => [sheet] }
const Button = { OK: 'ok', YES: 'yes', NO: 'no' }
const menuBuilder = {
  addItem(_label: string, name: string) {
    menu.push(name)
    return menuBuilder
  },
  addToUi: () => undefined,
}
const ui = {
  Button,
  ButtonSet: { OK_CANCEL: 'ok-cancel', YES_NO: 'yes-no' },
  createMenu: () => menuBuilder,
  alert(...texts: string[]) {
    alerts.push(texts.length > 1 ? (texts[1] ?? '') : (texts[0] ?? ''))
    return replies.length > 0 && texts.length > 1 ? replies.shift() : Button.OK
  },
  prompt: () => ({ getSelectedButton: () => Button.OK, getResponseText: () => replies.shift() ?? '' }),
}
const { row = 1, column = 1, rows = 1, columns = 1 } = setting.selected ?? {}

const checked = (key: string, value: string) => {
  if (key.length > CACHE_KEY_MAX || value.length > CACHE_VALUE_MAX) throw new Error('Argument too large')
  return value
}

const context = createContext({
  SpreadsheetApp: {
    getUi: () => ui,
    getActiveRange: () => rangeAt(row, column, rows, columns),
    getActiveSheet: () => sheet,
    getActiveSpreadsheet: () => spreadsheet,
    flush: () => undefined,
  },
  PropertiesService: {
    getScriptProperties: () => ({
      getProperty: (name: string) => properties.get(name) ?? null,
      setProperty: (name: string, value: string) => properties.set(name, value),
    }),
  },
  CacheService: {
    getScriptCache: () => ({
      getAll: (keys: string[]) =>
        Object.fromEntries(keys.flatMap((key) => (cache.has(key) ? [[key, cache.get(key)]] : []))),
      putAll(values: Record<string, string>) {
        for (const [key, value] of Object.entries(values)) cache.set(key, checked(key, value))
      },
    }),
  },
  UrlFetchApp: { fetchAll },
  Utilities: {
    DigestAlgorithm: { SHA_256: 'sha256' },
    Charset: { UTF_8: 'utf8' },
    computeDigest: (algorithm: string, text: string) => [...createHash(algorithm).update(text).digest()],
    base64Encode: (bytes: number[]) => Buffer.from(bytes).toString('base64'),
    sleep: (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
  },
})
runInContext(setting.script, context)

/** A person reads and edits the sheet by these, without the script. */
const acts: Record<string, (...given: never[]) => unknown> = {
  ':cells': () => cells,
  ':alerts': () => alerts.splice(0),
  ':menu': () => menu,
  ':edit': (edited: Cell[][]) => void (cells = edited),
  ':rename': (name: string) => void (sheetName = name),
  ':reply': (reply: string) => replies.push(reply),
}

parentPort?.on('message', ({ id, name, given }: { id: number; name: string; given: unknown[] }) => {
  try {
    const act = acts[name]
    const result = act
      ? act(...(given as never[]))
      : runInContext(`${name}(...JSON.parse(${JSON.stringify(JSON.stringify(given))}))`, context)
    parentPort?.postMessage({ id, result: JSON.parse(JSON.stringify(result ?? null)) })
  } catch (error) {
    parentPort?.postMessage({ id, error: (error as Error).message })
  }
})
