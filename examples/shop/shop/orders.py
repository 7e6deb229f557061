"""Taking orders: all of an order is promised, or nothing is."""

from shop.stock import Shelf, get_stock


def missing(shelf: Shelf, order: dict[str, int]) -> dict[str, int]:
    """How many units of each product the shelf is short of for `order`."""
    short = {product: wanted - get_stock(shelf, product) for product, wanted in order.items()}
    return {product: count for product, count in short.items() if count > 0}


def reserve(shelf: Shelf, order: dict[str, int]) -> bool:
    """Promise the whole `order`; False, with the shelf as it was, when anything is short."""
    if missing(shelf, order):
        return False
    for product, wanted in order.items():
        shelf.reserved[product] = shelf.reserved.get(product, 0) + wanted
    return True
