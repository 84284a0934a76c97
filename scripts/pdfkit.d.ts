/** The part of pdfkit that the guide is drawn with; the package brings no types. */
declare module 'pdfkit' {
  interface DocumentOptions {
    readonly size: 'A4';
    readonly margin: number;
    readonly compress: boolean;
    readonly autoFirstPage: boolean;
    readonly bufferPages: boolean;
    readonly pdfVersion: '1.7';
    readonly lang: string;
    readonly displayTitle: boolean;
    readonly info: Readonly<Record<string, string | Date>>;
  }

  interface TextOptions {
    readonly lineBreak: false;
    readonly baseline: 'alphabetic';
  }

  interface OutlineItem {
    addItem(title: string): OutlineItem;
  }

  interface FileOptions {
    readonly name: string;
    readonly type: string;
    readonly description: string;
    readonly creationDate: Date;
    readonly modifiedDate: Date;
  }

  class PDFDocument {
    constructor(options: DocumentOptions);
    readonly outline: OutlineItem;
    on(event: 'data', listener: (chunk: Uint8Array) => void): this;
    on(event: 'end', listener: () => void): this;
    addPage(): this;
    end(): void;
    font(name: string): this;
    fontSize(points: number): this;
    widthOfString(text: string): number;
    fillColor(color: string): this;
    text(text: string, x: number, y: number, options: TextOptions): this;
    rect(x: number, y: number, width: number, height: number): this;
    circle(x: number, y: number, radius: number): this;
    moveTo(x: number, y: number): this;
    lineTo(x: number, y: number): this;
    lineWidth(points: number): this;
    strokeColor(color: string): this;
    stroke(): this;
    fill(color: string): this;
    goTo(x: number, y: number, width: number, height: number, destination: string): this;
    addNamedDestination(name: string, kind: 'XYZ', x: number, y: number, zoom: null): void;
    file(bytes: Uint8Array, options: FileOptions): void;
  }

  // biome-ignore lint/style/noDefaultExport: this is how the package exports its class.
  export default PDFDocument;
}
