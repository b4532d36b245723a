import type { Nodes, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTable } from 'micromark-extension-gfm-table';
import { Fragment, useMemo, type ReactNode } from 'react';
import styles from './tiles.module.css';

/** Markdown as elements: no HTML, no images, and links to web pages only. */
export default function MarkdownTile({ text }: { text: string }) {
  const content = useMemo(
    () =>
      fromMarkdown(text, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] }),
    [text],
  );
  return (
    <div className={styles.markdown} role="group" aria-label="Text" tabIndex={0}>
      {inside(content.children)}
    </div>
  );
}

const inside = (nodes: readonly RootContent[]): ReactNode =>
  nodes.map((node, index) => <Fragment key={index}>{element(node)}</Fragment>);

function element(node: RootContent): ReactNode {
  switch (node.type) {
    case 'paragraph':
      return <p>{inside(node.children)}</p>;
    case 'heading':
      return <Heading depth={node.depth}>{inside(node.children)}</Heading>;
    case 'emphasis':
      return <em>{inside(node.children)}</em>;
    case 'strong':
      return <strong>{inside(node.children)}</strong>;
    case 'blockquote':
      return <blockquote>{inside(node.children)}</blockquote>;
    case 'list':
      return node.ordered ? (
        <ol start={node.start ?? 1}>{inside(node.children)}</ol>
      ) : (
        <ul>{inside(node.children)}</ul>
      );
    case 'listItem':
      return <li>{inside(node.children)}</li>;
    case 'table':
      return <Table rows={node.children} />;
    case 'link':
      return <SafeLink url={node.url}>{inside(node.children)}</SafeLink>;
    default:
      return plain(node);
  }
}

function plain(node: Nodes): ReactNode {
  switch (node.type) {
    case 'text':
      return node.value;
    // HTML is text like any other.
    case 'html':
      return node.value;
    case 'inlineCode':
      return <code>{node.value}</code>;
    case 'code':
      return (
        <pre>
          <code>{node.value}</code>
        </pre>
      );
    case 'image':
      return node.alt ?? '';
    case 'break':
      return <br />;
    case 'thematicBreak':
      return <hr />;
    default:
      return null;
  }
}

/** The page and the tile have the first two levels. */
function Heading({ depth, children }: { depth: number; children: ReactNode }) {
  return (
    <p
      role="heading"
      aria-level={Math.min(6, depth + 2)}
      className={styles.mdHeading}
      data-depth={depth}
    >
      {children}
    </p>
  );
}

function SafeLink({ url, children }: { url: string; children: ReactNode }) {
  return /^https?:\/\//i.test(url) ? (
    <a href={url} target="_blank" rel="noreferrer">
      {children}
    </a>
  ) : (
    children
  );
}

type TableRows = Extract<Nodes, { type: 'table' }>['children'];

function Table({ rows: [head, ...rows] }: { rows: TableRows }) {
  return (
    <table>
      <thead>
        <tr>
          {head?.children.map((cell, index) => (
            <th key={index} scope="col">
              {inside(cell.children)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={at}>
            {row.children.map((cell, index) => (
              <td key={index}>{inside(cell.children)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
