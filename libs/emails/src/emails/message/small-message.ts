import { encode as encodeBase64, wrap as wrapBase64 } from 'nodemailer/lib/base64';
import type MimeNode from 'nodemailer/lib/mime-node';
import { encode as encodeQuotedPrintable, wrap as wrapQuotedPrintable } from 'nodemailer/lib/qp';

/**
 * Result of `node.build()` for a tree whose contents are texts. It is written at once instead of through several
 * streams per part, which take most of the time of a small message.
 */
export function writeSmallMessage(root: MimeNode): Buffer {
  const message = writeNode(root);
  return Buffer.from(message + restOfLastLine(message));
}

function restOfLastLine(message: string): string {
  if (message.endsWith('\n')) return '';
  return message.endsWith('\r') ? '\n' : '\r\n';
}

function writeNode(node: MimeNode): string {
  // Building the headers sets encoding and boundary.
  const head = `${node.buildHeaders()}\r\n\r\n${writeContent(node)}`;
  if (!node.multipart) return head;
  const parts = node.childNodes.map((child) => `--${node.boundary}\r\n${writeNode(child)}`);
  return `${head}${parts.join('\r\n')}\r\n--${node.boundary}--\r\n`;
}

function writeContent(node: MimeNode): string {
  const { content } = node;
  if (content === undefined) return '';
  if (typeof content !== 'string') throw new TypeError('A small message consists of texts.');
  switch (node.getTransferEncoding()) {
    case 'base64':
      return wrapBase64(encodeBase64(content));
    case 'quoted-printable':
      return wrapQuotedPrintable(encodeQuotedPrintable(content));
    default:
      return content;
  }
}
