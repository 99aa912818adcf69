/** The part of Office Scripts that the script for Excel uses, by Microsoft's reference of ExcelScript. */
declare namespace ExcelScript {
  interface Workbook {
    getSelectedRange(): Range
  }
  interface Worksheet {
    getRangeByIndexes(startRow: number, startColumn: number, rowCount: number, columnCount: number): Range
    addWorksheetCustomProperty(key: string, value: string): WorksheetCustomProperty
    getWorksheetCustomProperty(key: string): WorksheetCustomProperty | undefined
  }
  interface WorksheetCustomProperty {
    getValue(): string
  }
  interface Range {
    getTexts(): string[][]
    /** The formula of a cell, or its value where it has none. */
    getFormulas(): Array<Array<string | number | boolean>>
    getWorksheet(): Worksheet
    getRowIndex(): number
    getColumnIndex(): number
    getColumnCount(): number
    setNumberFormat(format: string): void
    setValues(values: Array<Array<string | number | boolean>>): void
  }
}
