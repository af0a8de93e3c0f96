/** Scales pictures beside the page's own thread, which has frames to paint. */
import type { Order } from "./scaler";

// The page's types know a window only; of a worker's own, these two are needed.
const self_ = self as unknown as {
  onmessage: (event: MessageEvent<Order>) => void;
  postMessage: (message: unknown, transfer: Transferable[]) => void;
};

self_.onmessage = ({ data: { key, image, width, height } }) => {
  const canvas = new OffscreenCanvas(width, height);
  const pen = canvas.getContext("2d", { alpha: false });
  if (!pen) return;
  pen.imageSmoothingQuality = "high";
  pen.drawImage(image, 0, 0, width, height);
  image.close();
  const scaled = canvas.transferToImageBitmap();
  self_.postMessage({ key, image: scaled }, [scaled]);
};
