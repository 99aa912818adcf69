import { type ChangeEvent, type DragEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Form, TextArea } from '../../../ui/fields.tsx'
import { isTyping } from '../../../ui/is-typing.ts'
import { Button, Problem } from '../../../ui/parts.tsx'
import { useSendFile } from './files.ts'
import { ACCEPTED, type GivenFile, takeFile, takePasted } from './pasted.ts'

/** Accepts a dropped file, a chosen file, or pasted cells, and sends it. */
export function DropZone({ onSent }: { onSent: (id: string) => void }) {
  const [refused, setRefused] = useState<Error | null>(null)
  const [isOver, setOver] = useState(false)
  const sending = useSendFile(({ id }) => onSent(id))
  const take = (read: () => GivenFile) => {
    sending.reset()
    setRefused(null)
    try {
      sending.mutate(read())
    } catch (error) {
      setRefused(error instanceof Error ? error : new Error('We could not read the file.'))
    }
  }
  const takeTransfer = (data: DataTransfer) => {
    const [file, ...more] = data.files
    const text = data.getData('text')
    if (more.length > 0) setRefused(new Error('Take one file at a time.'))
    else if (file) take(() => takeFile(file))
    else if (text !== '') take(() => takePasted(text))
  }
  usePasteAnywhere(takeTransfer)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    takeTransfer(event.dataTransfer)
  }
  const problem = refused ?? (isStopped(sending.error) ? null : sending.error)
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
      {sending.isPending ? (
        <Sending sent={sending.share ?? 0} onStop={sending.stop} />
      ) : (
        <>
          <ChooseFile onFile={(file) => take(() => takeFile(file))} />
          <PasteCells onText={(text) => take(() => takePasted(text))} />
        </>
      )}
      {problem && <Problem title="We could not read this" error={problem} />}
    </section>
  )
}

const isStopped = (error: unknown) => error instanceof DOMException && error.name === 'AbortError'

/** Cells that are pasted outside every field come here, too. */
function usePasteAnywhere(onPaste: (data: DataTransfer) => void): void {
  const paste = useEffectEvent((event: ClipboardEvent) => {
    if (isTyping(event.target) || !event.clipboardData) return
    event.preventDefault()
    onPaste(event.clipboardData)
  })
  useEffect(() => {
    const listen = (event: ClipboardEvent) => paste(event)
    document.addEventListener('paste', listen)
    return () => document.removeEventListener('paste', listen)
  }, [])
}

function Sending({ sent, onStop }: { sent: number; onStop: () => void }) {
  const percent = Math.round(sent * 100)
  const words = percent < 100 ? `Sending the file: ${percent} %` : 'Reading the file'
  return (
    <div className="drop-here">
      <p>
        <strong>{words}</strong>
      </p>
      <progress className="sending" value={percent} max={100} aria-label="Sent" />
      <p className="visually-hidden" role="status">
        {percent < 100 ? 'Sending the file' : 'Reading the file'}
      </p>
      <Button look="quiet" small onClick={onStop}>
        Stop
      </Button>
    </div>
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
        <strong>Drop a spreadsheet here</strong>
      </p>
      <Button onClick={() => input.current?.click()}>Choose a file</Button>
      <input
        ref={input}
        className="visually-hidden"
        type="file"
        accept={ACCEPTED}
        aria-label="File to send"
        tabIndex={-1}
        onChange={choose}
      />
      <p className="small soft">
        Excel (XLSX), CSV, TSV or text, up to 25 MB. Your own columns come back with the results.
      </p>
    </div>
  )
}

function PasteCells({ onText }: { onText: (text: string) => void }) {
  const [text, setText] = useState('')
  const submit = () => {
    if (text.trim() !== '') onText(text)
  }
  return (
    <Form className="stack-small paste-list" onSubmit={submit}>
      <TextArea
        label="Or paste cells from a spreadsheet"
        className="mono"
        value={text}
        onChange={setText}
        placeholder={'example.co.uk\nann@example.org\nExample Trading Ltd\tLS1 4AP'}
        autoCapitalize="none"
        spellCheck={false}
        rows={5}
      />
      <div>
        <Button type="submit" look="quiet" disabled={text.trim() === ''}>
          Read the cells
        </Button>
      </div>
    </Form>
  )
}
