import { type ChangeEvent, type DragEvent, useRef, useState } from 'react'
import { Form, TextArea } from '../../ui/fields.tsx'
import { Button } from '../../ui/parts.tsx'
import { readFile, readPasted, type Table } from './table.ts'

/** Accepts a dropped file, a chosen file or a pasted list. */
export function DropZone({ onTable }: { onTable: (table: Table) => void }) {
  const [problem, setProblem] = useState<string | null>(null)
  const [isOver, setOver] = useState(false)
  const take = async (read: () => Table | Promise<Table>) => {
    try {
      onTable(await read())
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'We could not read the file.')
    }
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const { files } = event.dataTransfer
    const text = event.dataTransfer.getData('text')
    const [file] = files
    if (files.length > 1) setProblem('Drop one file at a time.')
    else if (file) void take(() => readFile(file))
    else if (text !== '') void take(() => readPasted(text))
  }
  return (
    <section
      className="card drop-zone"
      data-over={isOver}
      aria-label="New bulk job"
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <ChooseFile onFile={(file) => void take(() => readFile(file))} />
      <PasteList onText={(text) => void take(() => readPasted(text))} />
      {problem !== null && (
        <p className="note bad" role="alert">
          {problem}
        </p>
      )}
    </section>
  )
}

function ChooseFile({ onFile }: { onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? []
    if (file) onFile(file)
    // Lets a person choose the same file again after correcting it.
    event.target.value = ''
  }
  return (
    <div className="drop-here">
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M12 16V4m0 0 4.5 4.5M12 4 7.5 8.5M4 15v4a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-4" />
      </svg>
      <p>
        <strong>Drop a CSV file here</strong>
      </p>
      <Button onClick={() => input.current?.click()}>Choose a file</Button>
      <input
        ref={input}
        className="visually-hidden"
        type="file"
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        aria-label="File with domains"
        tabIndex={-1}
        onChange={choose}
      />
      <p className="small soft">CSV or a list of domains, up to 10,000 rows and 2 MB</p>
    </div>
  )
}

function PasteList({ onText }: { onText: (text: string) => void }) {
  const [text, setText] = useState('')
  const submit = () => {
    if (text.trim() !== '') onText(text)
  }
  return (
    <Form className="stack-small paste-list" onSubmit={submit}>
      <TextArea
        label="Or paste domains"
        className="mono"
        value={text}
        onChange={setText}
        placeholder={'example.co.uk\nhttps://www.example.com\nann@example.org'}
        autoCapitalize="none"
        spellCheck={false}
        rows={5}
      />
      <div>
        <Button type="submit" look="quiet" disabled={text.trim() === ''}>
          Check the list
        </Button>
      </div>
    </Form>
  )
}
