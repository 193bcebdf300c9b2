// Keeps the texts that Python sent, by digest, for every view on the page. A text comes once.

const DOCUMENTS_KEPT = 4;

export default function ({ data }) {
  if (!data || data.length < 68) return;
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  const kept = (window.__chunklabDocuments ??= new Map());
  const digest = new TextDecoder().decode(bytes.subarray(0, 64));
  const headingsEnd = 68 + new DataView(bytes.buffer, bytes.byteOffset + 64, 4).getUint32(0, true);
  const headings = JSON.parse(new TextDecoder().decode(bytes.subarray(68, headingsEnd)));
  let doc = kept.get(digest);
  if (doc) {
    doc.headings = headings;
    kept.delete(digest);
  } else {
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(headingsEnd));
    const astral = astralIndex(text);
    doc = { digest, text, astral, length: text.length - astral.length, headings };
  }
  kept.set(digest, doc);
  while (kept.size > DOCUMENTS_KEPT) kept.delete(kept.keys().next().value);
  window.dispatchEvent(new CustomEvent("chunklab-document", { detail: digest }));
}
